#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Both kinds of journal, a rollback, a writer and a reader at once.
set -u
sqlite3 a.db 'create table t(a, b); create index i on t(a);'
sqlite3 a.db <<END
begin;
insert into t select value, hex(value) from generate_series(1, 2000);
commit;
begin;
delete from t where a < 1000;
rollback;
select count(*), sum(a) from t;
END
sqlite3 a.db 'pragma journal_mode=wal; insert into t values(1, 2); pragma wal_checkpoint(truncate);'
sqlite3 a.db 'begin immediate; insert into t values(3, 4);' '.shell sqlite3 a.db "begin immediate" || echo locked' 'commit;'
sqlite3 a.db '.backup b.db' 'vacuum; pragma integrity_check;'
! sqlite3 /none/c.db 'select 1 from t'
