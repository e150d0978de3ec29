"""A proxy on loopback that loses connections."""
import socket
import threading

from icecast import free_port


class Proxy:
    """Forwards connections to a port until the mode changes.

    "cut" closes all connections and accepts no more. "stall" forwards nothing. "blackhole" forwards nothing, and later
    never reports the end of old connections, like a router that has forgotten them.
    """

    def __init__(self, port):
        self.upstream, self.port = port, free_port()
        self.pairs, self.dead, self.parts = [], set(), {}
        self.passes = threading.Event()
        self.passes.set()
        self.listen()

    def listen(self):
        self.listener = socket.create_server(("127.0.0.1", self.port), backlog=8)
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def accept(self, listener):
        while True:
            try:
                peer, _ = listener.accept()
                self.passes.wait()
                server = socket.create_connection(("127.0.0.1", self.upstream))
            except OSError:
                return
            self.pairs.append((peer, server))
            for pair in ((peer, server), (server, peer)):
                threading.Thread(target=self.pump, args=pair, daemon=True).start()

    def pump(self, source, target):
        try:
            while data := source.recv(2048):
                self.passes.wait()
                if source in self.dead or target in self.dead:
                    return
                if target in self.parts:
                    target.sendall(data[:int(len(data) * self.parts.pop(target))])
                    break
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def drop(self, part):
        """Forwards a fraction (0 to 1) of the next data, then closes all connections. New connections are accepted."""
        pairs, self.pairs = self.pairs, []
        self.parts.update((peer, part) for peer, _ in pairs)

    def fail(self, case):
        if case != "cut":
            self.passes.clear()
            return
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for pair in self.pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
        self.pairs = []

    def recover(self, case):
        if case == "cut":
            return self.listen()
        if case == "blackhole":
            self.dead.update(end for pair in self.pairs for end in pair)
        self.passes.set()
