#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Links, addresses, routes, rules, neighbours and queues, made and listed in the
# network namespace that this runs in. What the kernel here lacks is an answer, too.
PATH=/usr/sbin:/sbin:/usr/bin:/bin

for link in "ct0 type dummy" "ct1 type veth peer name ct2" "ctbr type bridge vlan_filtering 1 mcast_snooping 1" "ctbond type bond mode 1" \
	"ctvlan link ct0 type vlan id 7" "ctmac link ct0 type macvlan mode bridge" "ctvx type vxlan id 9 dstport 4789 local 127.0.0.1 dev lo" \
	"ctgre type gre local 127.0.0.1 remote 127.0.0.2" "ctsit type sit local 127.0.0.1" "ctvrf type vrf table 77" "ctifb type ifb" "ctwg type wireguard"; do
	# shellcheck disable=SC2086
	ip link add $link
done
ip link set ct1 master ctbr
ip link set ct0 up alias "one of ours" mtu 1400 address 02:00:00:00:00:01
ip link set ct1 up
ip link set ct2 up
ip link set ctbr up
ip link property add dev ct0 altname a-longer-name
ip addr add 10.9.0.1/24 dev ct0 label ct0:a
ip addr add 10.9.0.2/24 dev ct0 valid_lft 100 preferred_lft 50
ip addr add fd00::1/64 dev ct0 nodad
ip addr add 10.9.0.300/24 dev ct0
ip route add 10.10.0.0/16 via 10.9.0.7 metric 5 mtu 1300 rto_min 100ms
ip route add 10.11.0.0/16 nexthop via 10.9.0.7 weight 2 nexthop via 10.9.0.8
ip route add 10.12.0.0/16 encap ip id 7 dst 10.9.0.9 dev ct0
ip route add unreachable 10.13.0.0/16
ip route add 10.14.0.0/16 via 10.99.0.1
ip -6 route add fd01::/64 via fd00::2
ip nexthop add id 5 via 10.9.0.7 dev ct0
ip nexthop add id 6 group 5
ip rule add from 10.9.0.0/24 to 10.10.0.0/16 fwmark 7/0xff table 99 priority 500
ip rule add ipproto tcp dport 80-90 uidrange 1-9 blackhole
ip neigh add 10.9.0.7 lladdr 02:00:00:00:00:07 dev ct0
ip -6 neigh add proxy fd00::9 dev ct0
bridge fdb add 02:00:00:00:00:08 dev ct1 master
bridge vlan add vid 10-12 dev ct1 pvid untagged
bridge mdb add dev ctbr port ct1 grp 239.1.1.1 permanent
tc qdisc add dev ct0 root handle 1: htb default 10
tc class add dev ct0 parent 1: classid 1:10 htb rate 1mbit
tc filter add dev ct0 parent 1: protocol ip u32 match ip dport 80 0xffff flowid 1:10
tc qdisc add dev ct2 root fq_codel
ip token set ::7 dev ct0
for family in -4 -6 -0; do
	ip $family -d -s -s addr
	ip $family route show table all
	ip $family rule
	ip $family neigh
done
ip -d -s -s link
ip -d nexthop
ip netconf
ip maddr
ip mroute
ip tunnel
ip token
ip addrlabel
ip ntable
ip monitor help
ip stats
bridge -d -s fdb
bridge -d -s link
bridge -d vlan
bridge -d -s mdb
tc -s -d qdisc
tc -s -d class show dev ct0
tc -s -d filter show dev ct0 parent 1:
ss -H -A inet,unix,netlink,packet -a -e -i -m -p
ip link del ctbr
ip link del nothing
