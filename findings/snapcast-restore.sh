#!/usr/bin/env bash
# snapcast 2.3.8 (PyPI) restores a group of rooms at other volumes than before.
# Expected: snapshot() stores the state of a group and restore() brings it back (docstrings), as around an announcement
# that is louder or quieter. A group of Snapcast has no volume of its own; its clients have (Control API).
# Seen: only the mean of the clients is stored. Rooms at 20 % and 80 % are at 48 % and 52 % after an announcement at
# 5 %. The simulated server answers only the orders that are needed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" snapcast==2.3.8 construct==2.10.70 packaging==25.0
PYTHONPATH=$folder/packages python3 - <<'END'
import asyncio, json, sys
from importlib.metadata import version
import snapcast.control

volumes = {"kitchen": 20, "bedroom": 80}


def client(name):
    volume = {"percent": volumes[name], "muted": False}
    return {"id": name, "connected": True, "config": {"name": name, "latency": 0, "volume": volume},
            "host": {"name": name}, "snapclient": {"version": "0.31.0"}}


def result(order, fields):
    if order == "Server.GetStatus":
        clients = [client(name) for name in volumes]
        group = {"id": "g", "name": "all", "muted": False, "stream_id": "s", "clients": clients}
        stream = {"id": "s", "status": "idle", "uri": {"query": {"name": "s"}}, "properties": {}}
        return {"server": {"groups": [group], "server": {"snapserver": {"version": "0.31.0"}}, "streams": [stream]}}
    if order == "Client.SetVolume":
        volumes[fields["id"]] = fields["volume"]["percent"]
    return {key: value for key, value in fields.items() if key != "id"}


async def serve(reader, writer):
    while line := await reader.readline():
        order = json.loads(line)
        answer = {"id": order["id"], "jsonrpc": "2.0", "result": result(order["method"], order.get("params", {}))}
        writer.write(json.dumps(answer).encode() + b"\r\n")


async def announce():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    control = await snapcast.control.create_server(asyncio.get_running_loop(), "127.0.0.1", port)
    group, seen = control.groups[0], [dict(volumes)]
    group.snapshot()
    await group.set_volume(5)
    seen.append(dict(volumes))
    await group.restore()
    seen.append(dict(volumes))
    control.stop()
    server.close()
    await asyncio.sleep(0.2)
    return seen


seen = asyncio.run(announce())
print("snapcast", version("snapcast"))
for moment, found in zip(("before", "announcement", "restored"), seen):
    print(f"{moment}: {found}")
sys.exit(None if seen[2] == {"kitchen": 48, "bedroom": 52} else "The behaviour has changed.")
END
