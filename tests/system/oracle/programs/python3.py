#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The standard library's ways to files, processes, sockets and threads.
import asyncio
import json
import mmap
import multiprocessing
import os
import select
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time


def files():
    with tempfile.TemporaryDirectory(dir=".") as d:
        path = os.path.join(d, "data.json")
        with open(path, "w") as f:
            json.dump({"a": list(range(100))}, f)
        with open(path, "r+b") as f, mmap.mmap(f.fileno(), 0) as m:
            m[0:1] = b"["
            m.flush()
        os.setxattr(path, "user.note", b"text")
        os.getxattr(path, "user.note")
        os.listxattr(path)
        os.utime(path, ns=(1, 2))
        os.truncate(path, 10)
        os.link(path, path + ".link")
        list(os.scandir(d))
        os.statvfs(d)
        os.sendfile(os.open("/dev/null", os.O_WRONLY), os.open(path, os.O_RDONLY), 0, 10)


def processes():
    print(subprocess.run(["/bin/echo", "one"], capture_output=True).stdout)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(abs, [-1, 2, -3]))
    r, w = os.pipe2(os.O_CLOEXEC)
    pid = os.fork()
    if pid == 0:
        os.write(w, b"child")
        os._exit(4)
    print(os.read(r, 10), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def sockets():
    server = socket.create_server(("127.0.0.1", 0))
    client = socket.create_connection(server.getsockname())
    peer, _ = server.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    client.sendall(b"x" * 5000)
    poll = select.epoll()
    poll.register(peer, select.EPOLLIN)
    poll.poll(1)
    print(len(peer.recv(10000)))
    a, b = socket.socketpair(socket.AF_UNIX)
    socket.send_fds(a, [b"fd"], [poll.fileno()])
    socket.recv_fds(b, 10, 1)
    socket.getaddrinfo("127.0.0.1", 80)


def threads():
    done = threading.Event()
    workers = [threading.Thread(target=done.wait) for _ in range(4)]
    for t in workers:
        t.start()
    done.set()
    for t in workers:
        t.join()
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    time.sleep(0.05)


async def tasks():
    p = await asyncio.create_subprocess_exec("/bin/cat", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    print(await p.communicate(b"through cat"))
    await asyncio.gather(*(asyncio.sleep(0.01) for _ in range(3)))


def database():
    db = sqlite3.connect("python.db")
    db.execute("create table t(a)")
    db.executemany("insert into t values(?)", [(i,) for i in range(50)])
    db.commit()
    print(db.execute("select sum(a) from t").fetchall())
    db.close()


files()
processes()
sockets()
threads()
asyncio.run(tasks())
database()
