/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_output */
/*
 * Mounts, quotas, keys, landlock, LSMs, attributes, asynchronous I/O: what a
 * kernel without quotas or keys of these kinds cannot be made to answer, the
 * layouts of the 32-bit ABI, and memory that lies about its lengths.
 */
#include "decode_text.h"

#include <string.h>

enum { NR_fcntl = 72, NR_quotactl = 179, NR_io_submit = 209, NR_keyctl = 250, NR_name_to_handle_at = 303, NR_io_uring_register = 427,
       NR_landlock_create_ruleset = 444, NR_statmount = 457, NR_listmount = 458, NR_lsm_get_self_attr = 459, NR_getxattrat = 464,
       NR_listns = 470, I386_quotactl = 131, I386_fcntl64 = 221, I386_io_submit = 248 };

static uint32_t qcmd(uint32_t cmd, uint32_t type)
{
	return cmd << 8 | type;
}

static void test_quota_answers(void **state)
{
	uint64_t q[20], format = 2;

	(void)state;
	for (unsigned i = 0; i < 20; i++)
		q[i] = ((uint64_t)(2 * i + 1) << 32) | 2 * i;
	call_make(NR_quotactl, 0, 4, A(qcmd(0x800004, 0)), A(0), A(0), PTR);
	call_capture(3, 2, &format, 4);
	assert_call("QCMD(Q_GETFMT, USRQUOTA), NULL, [QFMT_VFS_V0]");
	assert_survives_cuts();
	call_make(NR_quotactl, 0, 4, A(qcmd(0x800009, 1)), A(0), A(5), PTR);
	call_capture(3, 2, q, 72);
	assert_call("QCMD(Q_GETNEXTQUOTA, GRPQUOTA), NULL, 5, {dqb_bhardlimit=4294967296, dqb_bsoftlimit=12884901890, dqb_curspace=21474836484, "
		    "dqb_ihardlimit=30064771078, dqb_isoftlimit=38654705672, dqb_curinodes=47244640266, dqb_id=17, ...}");
	assert_survives_cuts();
	call_make(NR_quotactl, 0, 4, A(qcmd(0x5805, 2)), A(0), A(0), PTR);
	call_capture(3, 2, q, 80);
	call_opts.no_abbrev = true;
	assert_call("QCMD(Q_XGETQSTAT, PRJQUOTA), NULL, {qs_version=0, qs_flags=0, qs_uquota={qfs_ino=12884901890, qfs_nblks=21474836484, "
		    "qfs_nextents=6}, qs_gquota={qfs_ino=38654705672, qfs_nblks=47244640266, qfs_nextents=12}, qs_incoredqs=14, "
		    "qs_btimelimit=15, qs_itimelimit=16, qs_rtbtimelimit=17, qs_bwarnlimit=18, qs_iwarnlimit=0}");
	assert_survives_cuts();
	/* 64 bits are aligned to 32 there: what follows each of the two lies 4 bytes earlier. */
	call.abi = ABI_I386;
	call.nr = I386_quotactl;
	assert_call("QCMD(Q_XGETQSTAT, PRJQUOTA), NULL, {qs_version=0, qs_flags=0, qs_uquota={qfs_ino=12884901890, qfs_nblks=21474836484, "
		    "qfs_nextents=6}, qs_gquota={qfs_ino=34359738375, qfs_nblks=42949672969, qfs_nextents=11}, qs_incoredqs=12, "
		    "qs_btimelimit=13, qs_itimelimit=14, qs_rtbtimelimit=15, qs_bwarnlimit=16, qs_iwarnlimit=0}");
	assert_survives_cuts();
	call_opts.no_abbrev = false;
}

static void test_key_answers(void **state)
{
	uint32_t query[14] = { 0xff, 2048, 77u << 16 | 66, 99u << 16 | 88, 0, 0, 5 };
	uint32_t pkey[10] = { 1, 5, 1000000, 0 }, dh[3] = { 1, 2, (uint32_t)-3 };

	(void)state;
	call_make(NR_keyctl, 0, 5, A(24), A(1), A(0), A(0), PTR);
	call_capture(4, 0, query, sizeof(query));
	assert_call("KEYCTL_PKEY_QUERY, 1, 0, NULL, {supported_ops=KEYCTL_SUPPORTS_ENCRYPT|KEYCTL_SUPPORTS_DECRYPT|KEYCTL_SUPPORTS_SIGN|"
		    "KEYCTL_SUPPORTS_VERIFY|0xf0, key_size=2048, max_data_size=66, max_sig_size=77, max_enc_size=88, max_dec_size=99, "
		    "__spare=[0, 0, 0x5, 0, 0, 0, 0, 0, 0, 0]}");
	assert_survives_cuts();
	/* What is said to be a million bytes long, and is not here. */
	call_make(NR_keyctl, 7, 5, A(25), PTR, A(0), PTR, PTR);
	call_capture(1, 0, pkey, sizeof(pkey));
	call_capture(3, 0, "input", 5);
	call_capture(4, 0, "short", 5);
	assert_call("KEYCTL_PKEY_ENCRYPT, {key_id=1, in_len=5, out_len=1000000}, NULL, \"input\", 0x7ffc0000");
	assert_survives_cuts();
	call_make(NR_keyctl, 2, 5, A(23), PTR, PTR, A(64), A(0));
	call_capture(1, 0, dh, sizeof(dh));
	call_capture(2, 0, "re", 2);
	assert_call("KEYCTL_DH_COMPUTE, {private=1, prime=2, base=KEY_SPEC_SESSION_KEYRING}, \"re\", 64, NULL");
	assert_survives_cuts();
	call.ret = INT64_MAX;
	assert_call("KEYCTL_DH_COMPUTE, {private=1, prime=2, base=KEY_SPEC_SESSION_KEYRING}, 0x7ffc0000, 64, NULL");
}

static void test_statmount(void **state)
{
	static uint8_t sm[1024];
	uint32_t *w = (uint32_t *)sm;

	(void)state;
	memset(sm, 0, sizeof(sm));
	w[0] = 520;
	memcpy(sm + 8, &(uint64_t){ 0x20 | 0x400 }, 8);
	w[9] = 2;               /* fs_type */
	w[32] = 1000000000;     /* opt_num */
	w[33] = 4;
	memcpy(sm + 512, "..ab\0c\0", 8);
	call_make(NR_statmount, 0, 4, A(0), PTR, A(1024), A(0));
	call_capture(1, 0, sm, 520);
	assert_call("NULL, {size=520, mask=STATMOUNT_FS_TYPE|STATMOUNT_OPT_ARRAY, fs_type=\"ab\", opt_num=1000000000, "
		    "opt_array=[\"\", \"c\", \"\", ???]}, 1024, 0");
	assert_survives_cuts();
	/* Offsets that lead anywhere, sizes that are not so. */
	w[0] = UINT32_MAX, w[9] = UINT32_MAX, w[33] = UINT32_MAX;
	assert_call("NULL, {size=4294967295, mask=STATMOUNT_FS_TYPE|STATMOUNT_OPT_ARRAY, fs_type=0xffffffff, opt_num=1000000000, "
		    "opt_array=0xffffffff}, 1024, 0");
	w[0] = 520;
	assert_call("NULL, {size=520, mask=STATMOUNT_FS_TYPE|STATMOUNT_OPT_ARRAY, fs_type=0xffffffff, opt_num=1000000000, "
		    "opt_array=0xffffffff}, 1024, 0");
	assert_survives_cuts();
}

static void test_lists(void **state)
{
	uint64_t ids[3] = { 1, 0x77, 9 };
	struct { uint32_t size, spare; uint64_t id; uint32_t type, spare2; uint64_t user, more; } ns = { 40, 1, 1, 0x20000, 2, UINT64_MAX, 5 };

	(void)state;
	call_make(NR_listns, 3, 4, PTR, PTR, A(8), A(0));
	call_capture(0, 0, &ns, 40);
	call_capture(0, 1, &ns, 4);
	call_capture(1, 0, ids, sizeof(ids));
	assert_call("{size=40, spare=0x1, ns_id=0x1, ns_type=MNT_NS, spare2=0x2, user_ns_id=LISTNS_CURRENT_USER, /* bytes 32..39 */ "
		    "\"\\x05\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"}, [0x1, 0x77, 0x9], 8, 0");
	assert_survives_cuts();
	call.ret = 1ll << 40;
	assert_call("{size=40, spare=0x1, ns_id=0x1, ns_type=MNT_NS, spare2=0x2, user_ns_id=LISTNS_CURRENT_USER, /* bytes 32..39 */ "
		    "\"\\x05\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"}, [0x1, 0x77, 0x9, ... /* 0x7ffc0018 */], 8, 0");
	/* More than all memory holds. */
	call.ret = 1ll << 62;
	assert_call("{size=40, spare=0x1, ns_id=0x1, ns_type=MNT_NS, spare2=0x2, user_ns_id=LISTNS_CURRENT_USER, /* bytes 32..39 */ "
		    "\"\\x05\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"}, 0x7ffc0000, 8, 0");
}

static void test_lsm(void **state)
{
	uint64_t ctx[13] = { 104, 5, 48, 10, 0, 0, 77, 0, UINT64_MAX, UINT64_MAX };
	uint32_t before = 512, after = 104;

	(void)state;
	memcpy(&ctx[4], "ctx value\n", 10);
	memcpy(&ctx[10], "rest", 4);
	call_make(NR_lsm_get_self_attr, 2, 4, A(100), PTR, PTR, A(0));
	call_capture(1, 0, ctx, 104);
	call_capture(2, 0, &before, 4);
	call_capture(2, 1, &after, 4);
	/* The second claims more bytes than there are: those that there are, are shown. */
	assert_call("LSM_ATTR_CURRENT, [{id=LSM_ID_APPARMOR, flags=0x5, len=48, ctx_len=10, ctx=\"\\x63\\x74\\x78\\x20\\x76\\x61\\x6c\\x75\\x65\\x0a\"}, "
		    "{id=0x4d, flags=0, len=18446744073709551615, ctx_len=18446744073709551615, "
		    "ctx=\"\\x72\\x65\\x73\\x74\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"}], "
		    "[512 => 104], 0");
	assert_survives_cuts();
	/* One that would be its own successor. */
	ctx[2] = 0;
	assert_call("LSM_ATTR_CURRENT, [{id=LSM_ID_APPARMOR, flags=0x5, len=0, ctx_len=10}], [512 => 104], 0");
	assert_survives_cuts();
}

static void test_handles(void **state)
{
	uint32_t before = 128, after[34] = { UINT32_MAX, 1 };

	(void)state;
	call_make(NR_name_to_handle_at, 0, 5, A(-100), A(0), PTR, A(0), A(0));
	call_capture(2, 0, &before, 4);
	call_capture(2, 1, after, 8);
	assert_call("AT_FDCWD, NULL, {handle_bytes=128 => 4294967295, handle_type=1, f_handle=???}, NULL, 0");
	assert_survives_cuts();
}

static void test_ruleset(void **state)
{
	uint64_t attr[6] = { 1, 2, 3, 0, 0, 0 };

	(void)state;
	call_make(NR_landlock_create_ruleset, 3, 3, PTR, A(UINT64_MAX), A(0));
	call_capture(0, 0, attr, sizeof(attr));
	assert_call("{handled_access_fs=LANDLOCK_ACCESS_FS_EXECUTE, handled_access_net=LANDLOCK_ACCESS_NET_CONNECT_TCP, "
		    "scoped=LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET|LANDLOCK_SCOPE_SIGNAL, quiet_access_fs=0, quiet_access_net=0, quiet_scoped=0, "
		    "...}, 18446744073709551615, 0");
	assert_survives_cuts();
}

struct iocb_image { uint64_t data; uint32_t key, rw; uint16_t op, prio; uint32_t fd; uint64_t buf, n; int64_t off; uint64_t resv; uint32_t flags, res; };

static void test_iocbs(void **state)
{
	struct iocb_image i = { .data = 7, .op = 8, .fd = 3, .buf = PTR, .n = UINT64_MAX };
	uint32_t pointers[2] = { 0x1000, 0x2000 }, iov[4] = { 0x3000, 3, 0x4000, UINT32_MAX };

	(void)state;
	call_make(I386_io_submit, 2, 3, A(0x5000), A(2), PTR);
	call.abi = ABI_I386;
	call_capture(2, 0, pointers, sizeof(pointers));
	call_capture(2, 1, &i, sizeof(i));
	call_capture(2, 2, iov, sizeof(iov));
	call_capture(2, 3, "abc", 3);
	assert_call("0x5000, 2, [{aio_data=0x7, aio_lio_opcode=IOCB_CMD_PWRITEV, aio_fildes=3, aio_buf=[{iov_base=\"abc\", iov_len=3}, "
		    "{iov_base=0x4000, iov_len=4294967295}, ... /* 0x7ffc0010 */], aio_offset=0}, 0x2000]");
	assert_survives_cuts();
	call_make(NR_io_submit, -22, 3, A(0x5000), A(-1), PTR);
	assert_call("0x5000, -1, 0x7ffc0000");
}

static void test_uring(void **state)
{
	static uint8_t probe[16 + 8 * 256];

	(void)state;
	memset(probe, 0, sizeof(probe));
	probe[1] = 255;
	call_make(NR_io_uring_register, 0, 4, A(3), A(8), PTR, A(UINT32_MAX));
	call_capture(2, 0, probe, sizeof(probe));
	call_capture(2, 1, probe, 24);
	call_opts.string_limit = 2;
	assert_call("3, IORING_REGISTER_PROBE, {last_op=IORING_OP_NOP, ops_len=255, ops=[{op=IORING_OP_NOP, flags=0}, {op=IORING_OP_NOP, flags=0}, "
		    "...]} => {last_op=IORING_OP_NOP, ops_len=255, ops=[{op=IORING_OP_NOP, flags=0}, ... /* 0x7ffc0018 */]}, 4294967295");
	call_opts.string_limit = 32;
	assert_survives_cuts();
}

static void test_locks_of_32_bits(void **state)
{
	struct __attribute__((packed)) { int16_t type, whence; int64_t start, len; int32_t pid; } l = { 1, 0, 1ll << 40, -1, 7 };

	(void)state;
	call_make(I386_fcntl64, 0, 3, A(3), A(12), PTR);
	call.abi = ABI_I386;
	call_capture(2, 0, &l, sizeof(l));
	assert_call("3, F_GETLK64, {l_type=F_WRLCK, l_whence=SEEK_SET, l_start=1099511627776, l_len=-1, l_pid=7}");
	assert_survives_cuts();
	/* Where a long has 64 bits there is no such command. */
	call.abi = ABI_X86_64;
	call.nr = NR_fcntl;
	assert_call("3, F_GETLK64, 0x7ffc0000");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quota_answers), cmocka_unit_test(test_key_answers), cmocka_unit_test(test_statmount),
		cmocka_unit_test(test_lists),         cmocka_unit_test(test_lsm),         cmocka_unit_test(test_handles),
		cmocka_unit_test(test_ruleset),       cmocka_unit_test(test_iocbs),       cmocka_unit_test(test_uring),
		cmocka_unit_test(test_locks_of_32_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
