/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LINKS: ctrace_cgroup */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tree.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>

#include "cgroup/http.h"
#include "cgroup/runtime.h"

#define ID(s) s s s s s s s s

/* What the daemon of the test does with a request; both ends are closed when it returns. */
typedef void answer_fn(int fd, const char *request);

struct daemon {
	pid_t pid;
	char address[256];      /* unix://... */
};

static void put(int fd, const char *text)
{
	size_t n = strlen(text);

	/* Who asked may be gone already. */
	while (n) {
		ssize_t k = send(fd, text, n, MSG_NOSIGNAL);

		if (k <= 0)
			return;
		text += k;
		n -= (size_t)k;
	}
}

static void put_ok(int fd, const char *body)
{
	char head[128];

	snprintf(head, sizeof(head), "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n",
		 strlen(body));
	put(fd, head);
	put(fd, body);
}

static void serve(int listener, answer_fn *answer)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		char request[4096];
		size_t n = 0;
		int fd = accept(listener, NULL, NULL);

		if (fd < 0)
			_exit(1);
		while (n + 1 < sizeof(request)) {
			ssize_t k = read(fd, request + n, sizeof(request) - 1 - n);

			if (k <= 0)
				break;
			n += (size_t)k;
			request[n] = '\0';
			if (strstr(request, "\r\n\r\n"))
				break;
		}
		request[n] = '\0';
		answer(fd, request);
		close(fd);
	}
}

static void start(const char *name, answer_fn *answer, struct daemon *ret)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_true(snprintf(a.sun_path, sizeof(a.sun_path), "%s/%s", tree, name) < (int)sizeof(a.sun_path));
	snprintf(ret->address, sizeof(ret->address), "unix://%s", a.sun_path);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(fd, 8), 0);
	ret->pid = fork();
	assert_true(ret->pid >= 0);
	if (!ret->pid)
		serve(fd, answer);
	close(fd);
}

static void stop(struct daemon *d)
{
	kill(d->pid, SIGKILL);
	waitpid(d->pid, NULL, 0);
}

/* Asks the one daemon that the variable names; nothing else is there. ret_note: freed by the caller. */
static void ask(const char *variable, const char *value, struct container_entries *entries, char **ret_note)
{
	static char proc[PATH_MAX * 2];
	struct runtime_env env;
	int fd;

	snprintf(proc, sizeof(proc), "%s/proc", tree);
	fd = open(proc, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	setenv(variable, value, 1);
	assert_int_equal(runtime_env_open(fd, proc, tree_path("root"), &env), 0);
	/* The machine's own daemons have no part in this. */
	for (enum state_kind kind = SOCKET_DOCKER; kind <= SOCKET_PODMAN; kind++)
		for (size_t i = 0; i < env.dirs[kind].n; i++)
			if (strncmp(env.dirs[kind].v[i].path, tree, strlen(tree)))
				strcpy(env.dirs[kind].v[i].path, "/");
	assert_int_equal(runtime_ask(&env, entries), 0);
	*ret_note = env.note ? strdup(env.note) : NULL;
	runtime_env_done(&env);
	unsetenv(variable);
	close(fd);
}

static void begin(void)
{
	tree_make();
	tree_dir("proc");
	tree_dir("root");
}

static void begin_asking(void)
{
	if (http_missing())
		skip();
	begin();
}

#define WEB  "{\"Id\":\"" ID("9c6eb891") "\",\"Names\":[\"/db/alias\",\"/web\"],\"Image\":\"nginx:1\",\"State\":\"running\"," \
	     "\"Labels\":{\"com.docker.compose.service\":\"front\"}}"
#define GONE "{\"Id\":\"" ID("9c6eb892") "\",\"Names\":[\"/old\"],\"Image\":\"nginx:0\",\"State\":\"exited\",\"Labels\":null}"
#define BAD  "{\"Id\":\"../../x\",\"Names\":[\"/slash\"],\"State\":\"running\"},{\"Id\":7},17,{}"

static void docker(int fd, const char *request)
{
	if (!strncmp(request, "GET /containers/json?all=1 HTTP/1.1\r\n", 37))
		put_ok(fd, "[" WEB "," GONE "," BAD "]");
	else if (!strncmp(request, "GET /containers/" ID("9c6eb891") "/json HTTP/1.1\r\n", 90))
		put_ok(fd, "{\"Id\":\"" ID("9c6eb891") "\",\"State\":{\"Running\":true,\"Pid\":6229}}");
	else
		put(fd, "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}");
}

static void test_docker(void **state)
{
	struct container_entries l = { 0 };
	struct daemon d;
	char *note;

	(void)state;
	begin_asking();
	start("d.sock", docker, &d);
	ask("DOCKER_HOST", d.address, &l, &note);
	stop(&d);
	assert_null(note);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.v[0].id, ID("9c6eb891"));
	assert_string_equal(l.v[0].runtime, "docker");
	assert_string_equal(l.v[0].name, "web");
	assert_string_equal(l.v[0].image, "nginx:1");
	assert_string_equal(l.v[0].service, "front");
	assert_int_equal(l.v[0].pid, 6229);
	assert_false(l.v[0].stopped);
	assert_string_equal(l.v[1].name, "old");
	assert_int_equal(l.v[1].pid, 0);
	assert_true(l.v[1].stopped);
	container_entries_done(&l);
	tree_remove();
}

/* In pieces that have their length before them, the last one as late as the second allows. */
static void podman(int fd, const char *request)
{
	static const char body[] = "[{\"Id\":\"" ID("b0d0aa01") "\",\"Names\":[\"shop-web\"],\"Image\":\"localhost/bb\",\"Pid\":7500,\"State\":\"running\","
				   "\"PodName\":\"shop\",\"IsInfra\":false},{\"Id\":\"" ID("b0d0aa02") "\",\"Names\":[\"1f-infra\"],\"Pid\":7501,"
				   "\"State\":\"running\",\"PodName\":\"shop\",\"IsInfra\":true},{\"Id\":\"" ID("b0d0aa03") "\",\"Names\":[\"one\"],"
				   "\"PodName\":\"\",\"State\":\"created\",\"Pid\":5}]";

	if (strncmp(request, "GET /v4.0.0/libpod/containers/json?all=true&pod=true ", 52)) {
		put(fd, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
		return;
	}
	put(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
	for (size_t at = 0; at < sizeof(body) - 1; at += 100) {
		char piece[128];
		int n = (int)MIN(sizeof(body) - 1 - at, (size_t)100);

		snprintf(piece, sizeof(piece), "%x\r\n%.*s\r\n", n, n, body + at);
		put(fd, piece);
	}
	usleep(200000);
	put(fd, "0\r\n\r\n");
}

static void test_podman(void **state)
{
	struct container_entries l = { 0 };
	struct daemon d;
	char *note;

	(void)state;
	begin_asking();
	start("podman.sock", podman, &d);
	/* Its users point Docker's variable at it, too: by the socket's name it is podman's. */
	ask("DOCKER_HOST", d.address, &l, &note);
	stop(&d);
	assert_null(note);
	assert_int_equal(l.n, 3);
	assert_string_equal(l.v[0].runtime, "podman");
	assert_string_equal(l.v[0].name, "shop-web");
	assert_string_equal(l.v[0].pod, "shop");
	assert_string_equal(l.v[0].pod_container, "web");
	assert_null(l.v[0].pod_namespace);
	assert_int_equal(l.v[0].pid, 7500);
	assert_false(l.v[0].sandbox);
	assert_true(l.v[1].sandbox);
	assert_null(l.v[2].pod);
	assert_int_equal(l.v[2].pid, 0);
	assert_true(l.v[2].stopped);
	container_entries_done(&l);
	tree_remove();
}

/* What a file tells stays, and what it lacks comes from the socket. */
static void test_files_first(void **state)
{
	struct container_entries l = { 0 };
	struct container_entry *e;
	struct daemon d;
	char *note;

	(void)state;
	begin_asking();
	e = container_entries_add(&l, "", ID("9c6eb891"));
	assert_non_null(e);
	e->name = strdup("by-file");
	start("d.sock", docker, &d);
	ask("DOCKER_HOST", d.address, &l, &note);
	stop(&d);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.v[0].name, "by-file");
	assert_string_equal(l.v[0].runtime, "docker");
	assert_string_equal(l.v[0].image, "nginx:1");
	assert_int_equal(l.v[0].pid, 6229);
	container_entries_done(&l);
	tree_remove();
}

static void not_found(int fd, const char *request)
{
	(void)request;
	put(fd, "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n[]");
}

static void server_error(int fd, const char *request)
{
	(void)request;
	put(fd, "HTTP/1.1 500 Internal Server Error\r\n\r\n[" WEB "]");
}

static void moved(int fd, const char *request)
{
	(void)request;
	put(fd, "HTTP/1.1 302 Found\r\nLocation: http://localhost/else\r\nContent-Length: 0\r\n\r\n");
}

static void garbage(int fd, const char *request)
{
	(void)request;
	put(fd, "\1\2\3 what is this\r\n\r\n[" WEB "]");
}

static void no_json(int fd, const char *request)
{
	(void)request;
	put_ok(fd, "[{\"Id\":");
}

static void closes(int fd, const char *request)
{
	(void)fd;
	(void)request;
}

static void breaks_off(int fd, const char *request)
{
	(void)request;
	put(fd, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[");
}

static void silent(int fd, const char *request)
{
	char byte;

	(void)request;
	/* Until who asked gives up. */
	while (read(fd, &byte, 1) > 0)
		;
}

static void drips(int fd, const char *request)
{
	(void)request;
	put(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
	while (send(fd, "1\r\n \r\n", 6, MSG_NOSIGNAL) == 6)
		usleep(50000);
}

static void endless(int fd, const char *request)
{
	static char spaces[1 << 16];

	(void)request;
	memset(spaces, ' ', sizeof(spaces));
	put(fd, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
	while (send(fd, spaces, sizeof(spaces), MSG_NOSIGNAL) > 0)
		;
}

static void endless_headers(int fd, const char *request)
{
	(void)request;
	put(fd, "HTTP/1.1 200 OK\r\n");
	while (send(fd, "X: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n", 44, MSG_NOSIGNAL) > 0)
		;
}

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static void test_bad_answers(void **state)
{
	static const struct {
		answer_fn *answer;
		const char *note;
	} rows[] = {
		{ not_found, "refuses to answer" }, { server_error, "refuses to answer" }, { moved, "refuses to answer" },
		{ garbage, "answers what is no answer" }, { no_json, "answers what is no answer" }, { closes, "answers what is no answer" },
		{ breaks_off, "answers what is no answer" }, { silent, "does not answer" }, { drips, "does not answer" },
		{ endless, "answers too much" }, { endless_headers, "answers " },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct container_entries l = { 0 };
		struct daemon d;
		uint64_t start_ms;
		char *note;

		begin_asking();
		start("d.sock", rows[i].answer, &d);
		start_ms = now_ms();
		ask("DOCKER_HOST", d.address, &l, &note);
		/* A loaded machine takes its time; none of them takes forever. */
		assert_true(now_ms() - start_ms < 10000);
		stop(&d);
		assert_int_equal(l.n, 0);
		if (!note || !strstr(note, rows[i].note))
			fail_msg("row %zu: %s, not %s", i, note ? note : "nothing", rows[i].note);
		assert_non_null(strstr(note, "/d.sock"));
		free(note);
		container_entries_done(&l);
		tree_remove();
	}
}

/* A socket that nobody listens at, a file, and an address of elsewhere: nothing is said, or it is remembered. */
static void test_no_daemon(void **state)
{
	struct container_entries l = { 0 };
	struct daemon d;
	char *note, file[PATH_MAX * 2];

	(void)state;
	begin_asking();
	start("d.sock", docker, &d);
	stop(&d);
	ask("DOCKER_HOST", d.address, &l, &note);
	assert_null(note);
	tree_file("file", "x");
	snprintf(file, sizeof(file), "unix://%s/file", tree);
	ask("CONTAINER_HOST", file, &l, &note);
	assert_null(note);
	assert_int_equal(l.n, 0);
	tree_remove();
}

static void open_with(const char *variable, const char *value, struct runtime_env *ret)
{
	static char proc[PATH_MAX * 2], root[PATH_MAX * 2];

	snprintf(proc, sizeof(proc), "%s/proc", tree);
	snprintf(root, sizeof(root), "%s/root", tree);
	setenv(variable, value, 1);
	assert_int_equal(runtime_env_open(open(proc, O_RDONLY | O_DIRECTORY | O_CLOEXEC), proc, root, ret), 0);
	unsetenv(variable);
}

static bool has_dir(const struct runtime_env *env, enum state_kind kind, const char *path, const char *run)
{
	for (size_t i = 0; i < env->dirs[kind].n; i++)
		if (!strcmp(env->dirs[kind].v[i].path, path) &&
		    (!run || (env->dirs[kind].v[i].run && !strcmp(env->dirs[kind].v[i].run, run))))
			return true;
	return false;
}

static void test_elsewhere(void **state)
{
	static const char *const values[] = { "tcp://10.0.0.1:2375", "ssh://host", "npipe:////./pipe/docker", "/var/run/docker.sock" };
	struct runtime_env env;

	(void)state;
	begin();
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		open_with("DOCKER_HOST", values[i], &env);
		assert_string_equal(env.remote, "DOCKER_HOST");
		close(env.proc_fd);
		runtime_env_done(&env);
	}
	open_with("CONTAINER_HOST", "ssh://host", &env);
	assert_string_equal(env.remote, "CONTAINER_HOST");
	close(env.proc_fd);
	runtime_env_done(&env);
	open_with("CONTAINER_HOST", "", &env);
	assert_null(env.remote);
	close(env.proc_fd);
	runtime_env_done(&env);
	tree_remove();
}

/* Docker's context, by the home of who runs it: that of the user behind sudo is another test's. */
static void test_context(void **state)
{
	char *home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
	struct runtime_env env;

	(void)state;
	begin();
	tree_file("home/.docker/contexts/meta/00aa/meta.json", "{\"Name\":\"far\",\"Endpoints\":{\"docker\":{\"Host\":\"tcp://h:1\"}}}");
	tree_file("home/.docker/contexts/meta/00bb/meta.json", "{\"Name\":\"near\",\"Endpoints\":{\"docker\":{\"Host\":\"unix:///x/near.sock\"}}}");
	tree_file("home/.docker/contexts/meta/00cc/meta.json", "[1");
	tree_file("home/.docker/config.json", "{\"currentContext\":\"near\"}");
	unsetenv("SUDO_UID");
	unsetenv("DOCKER_CONTEXT");
	setenv("HOME", tree_path("home"), 1);
	open_with("DOCKER_HOST", "", &env);
	assert_true(has_dir(&env, SOCKET_DOCKER, "/x/near.sock", NULL));
	assert_null(env.remote);
	close(env.proc_fd);
	runtime_env_done(&env);
	open_with("DOCKER_CONTEXT", "far", &env);
	assert_false(has_dir(&env, SOCKET_DOCKER, "/x/near.sock", NULL));
	assert_string_equal(env.remote, "the docker context");
	close(env.proc_fd);
	runtime_env_done(&env);
	open_with("DOCKER_HOST", "unix:///y.sock", &env);
	assert_true(has_dir(&env, SOCKET_DOCKER, "/y.sock", NULL));
	assert_false(has_dir(&env, SOCKET_DOCKER, "/x/near.sock", NULL));
	close(env.proc_fd);
	runtime_env_done(&env);
	if (home)
		setenv("HOME", home, 1);
	free(home);
	tree_remove();
}

/* The user behind sudo: state below the home that the host's file of users tells. */
static void test_sudo_user(void **state)
{
	struct runtime_env env;

	(void)state;
	if (getuid())
		skip();
	begin();
	tree_file("root/etc/passwd", "root:x:0:0::/root:/bin/sh\nbroken\nanna:x:4711:4711::/home/anna:/bin/sh\n");
	open_with("SUDO_UID", "4711", &env);
	assert_true(has_dir(&env, STATE_STORAGE, "/home/anna/.local/share/containers/storage", "/run/user/4711/containers"));
	assert_true(has_dir(&env, STATE_DOCKER, "/home/anna/.local/share/docker", NULL));
	assert_true(has_dir(&env, STATE_OCI, "/run/user/4711/crun", NULL));
	assert_true(has_dir(&env, STATE_OCI, "/run/user/4711/docker/runtime-runc", NULL));
	assert_true(has_dir(&env, SOCKET_DOCKER, "/run/user/4711/docker.sock", NULL));
	assert_true(has_dir(&env, SOCKET_PODMAN, "/run/user/4711/podman/podman.sock", NULL));
	close(env.proc_fd);
	runtime_env_done(&env);
	tree_file("root/home/anna/.config/containers/storage.conf",
		  "graphroot = \"/not/this\"\n[storage]\ndriver = \"overlay\"\n  graphroot = \"/data/anna\"\nrunroot='/data/run'\n[storage.options]\n");
	tree_file("root/etc/containers/storage.conf", "[storage]\ngraphroot = \"/data/all\"\nrunroot = \"$HOME/x\"\n");
	open_with("SUDO_UID", "4711", &env);
	assert_true(has_dir(&env, STATE_STORAGE, "/data/anna", "/data/run"));
	assert_true(has_dir(&env, STATE_STORAGE, "/data/all", "/run/containers/storage"));
	assert_false(has_dir(&env, STATE_STORAGE, "/home/anna/.local/share/containers/storage", NULL));
	close(env.proc_fd);
	runtime_env_done(&env);
	/* Nobody's number, and what is no number. */
	open_with("SUDO_UID", "4712", &env);
	assert_true(has_dir(&env, SOCKET_DOCKER, "/run/user/4712/docker.sock", NULL));
	assert_false(has_dir(&env, STATE_STORAGE, "/data/anna", NULL));
	close(env.proc_fd);
	runtime_env_done(&env);
	open_with("SUDO_UID", "-1", &env);
	assert_int_equal(env.dirs[SOCKET_PODMAN].n, 1);
	close(env.proc_fd);
	runtime_env_done(&env);
	tree_remove();
}

static void write_process(const char *comm, const char *cmdline, size_t len)
{
	tree_file("proc/10/comm", "%s\n", comm);
	tree_bytes("proc/10/cmdline", cmdline, len);
}

/* Daemons that were told their sockets on the command line. */
static void test_command_lines(void **state)
{
	static const char dockerd[] = "dockerd\0-H\0tcp://0.0.0.0:1\0--host=unix:///a.sock\0-H\0unix:///b.sock\0-H";
	static const char podmand[] = "podman\0--log-level=error\0system\0service\0-t\0000\0unix:///c/any.sock";
	static const char other[] = "podman\0run\0unix:///d.sock";
	struct runtime_env env;

	(void)state;
	begin();
	write_process("dockerd", dockerd, sizeof(dockerd));
	open_with("DOCKER_HOST", "", &env);
	assert_true(has_dir(&env, SOCKET_DOCKER, "/a.sock", NULL));
	assert_true(has_dir(&env, SOCKET_DOCKER, "/b.sock", NULL));
	assert_null(env.remote);
	write_process("podman", podmand, sizeof(podmand));
	assert_int_equal(runtime_env_refresh(&env), 0);
	assert_true(has_dir(&env, SOCKET_PODMAN, "/c/any.sock", NULL));
	write_process("podman", other, sizeof(other));
	assert_int_equal(runtime_env_refresh(&env), 0);
	assert_false(has_dir(&env, SOCKET_PODMAN, "/d.sock", NULL));
	close(env.proc_fd);
	runtime_env_done(&env);
	tree_remove();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_docker), cmocka_unit_test(test_podman), cmocka_unit_test(test_files_first),
		cmocka_unit_test(test_bad_answers), cmocka_unit_test(test_no_daemon), cmocka_unit_test(test_elsewhere),
		cmocka_unit_test(test_context), cmocka_unit_test(test_sudo_user), cmocka_unit_test(test_command_lines),
	};

	unsetenv("DOCKER_HOST");
	unsetenv("CONTAINER_HOST");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
