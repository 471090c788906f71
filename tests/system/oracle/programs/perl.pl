#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What perl of the base system can: files, forks, pipes, sockets, signals.
use strict;
use warnings;
use Socket;
use Fcntl qw(:flock SEEK_SET);
use POSIX qw(:sys_wait_h);

open(my $out, '>', 'numbers') or die;
flock($out, LOCK_EX);
print $out "$_\n" for reverse 1 .. 500;
close($out);
open(my $in, '<', 'numbers') or die;
my @lines = sort { $a <=> $b } <$in>;
seek($in, 0, SEEK_SET);
close($in);
print scalar(@lines), "\n";

my $echo = `echo from a shell`;
print $echo;
open(my $pipe, '-|', 'sort', '-n', 'numbers') or die;
my $first = <$pipe>;
1 while <$pipe>;
close($pipe);
print $first;

socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, PF_UNSPEC) or die;
my $pid = fork();
if ($pid == 0) {
	close($a);
	syswrite($b, "from the child\n");
	exit(2);
}
close($b);
print scalar(<$a>);
waitpid($pid, 0);
print WEXITSTATUS($?), "\n";

$SIG{ALRM} = sub { print "alarm\n" };
$SIG{CHLD} = sub { 1 while waitpid(-1, WNOHANG) > 0 };
alarm(1);
select(undef, undef, undef, 0.05);
alarm(0);
kill('ALRM', $$);

socket(my $server, PF_INET, SOCK_STREAM, getprotobyname('tcp') || 6) or die;
setsockopt($server, SOL_SOCKET, SO_REUSEADDR, pack('l', 1));
bind($server, sockaddr_in(0, INADDR_LOOPBACK)) or die;
listen($server, 5);
socket(my $client, PF_INET, SOCK_STREAM, 6) or die;
connect($client, getsockname($server)) or die;
accept(my $peer, $server) or die;
send($client, 'hello', 0);
recv($peer, my $text, 100, 0);
print "$text\n";

opendir(my $dir, '/etc') or die;
my @names = grep { -f "/etc/$_" } readdir($dir);
print @names > 3 ? "many\n" : "few\n";
rename('numbers', 'renamed');
chmod(0600, 'renamed');
utime(1, 2, 'renamed');
unlink('renamed');
