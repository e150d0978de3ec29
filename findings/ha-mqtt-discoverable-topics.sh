#!/usr/bin/env bash
# ha-mqtt-discoverable 0.26.0 (PyPI) gives one topic to two entities with different names and identities.
# Expected: each entity has a discovery topic of its own, since a second message on a topic replaces the first entity
# (Home Assistant, "MQTT Discovery"). Names may have any letters, and unique_id tells entities apart.
# Seen: the topic has the name with "-" for each letter outside of ASCII, and no unique_id. "Радио" and "Спорт" are
# both "-----", and "R&B" and "R/B" are "R-B". The last one remains, and gets the states of both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
python3 -m pip install -q --no-deps --target "$folder/packages" ha-mqtt-discoverable==0.26.0 paho-mqtt==2.2.0 \
  pydantic==2.12.5 pydantic-core==2.41.5 annotated-types==0.7.0 typing_extensions==4.16.0 typing-inspection==0.4.5
PYTHONPATH=$folder/packages python3 - <<'END'
import json, sys
from importlib.metadata import version
import paho.mqtt.client
from ha_mqtt_discoverable import DeviceInfo, Settings
from ha_mqtt_discoverable.sensors import BinarySensor, BinarySensorInfo

print("ha-mqtt-discoverable", version("ha-mqtt-discoverable"))
topics = {}


class Recorder(paho.mqtt.client.Client):
    def publish(self, topic, payload=None, *others, **fields):
        if topic.endswith("/config"):
            topics.setdefault(topic, []).append(json.loads(payload)["unique_id"])
        return super().publish(topic, payload, *others, **fields)


client = Recorder(paho.mqtt.client.CallbackAPIVersion.VERSION2)
device = DeviceInfo(name="Radio", identifiers="radio")
for identity, name in {"a": "Jazz", "b": "Радио", "c": "Спорт", "d": "R&B", "e": "R/B"}.items():
    entity = BinarySensorInfo(name=name, unique_id=identity, device=device)
    BinarySensor(Settings(mqtt=Settings.MQTT(client=client), entity=entity)).on()
for topic, identities in topics.items():
    print(f"{topic}: {len(identities)} entities, {identities}")
sys.exit(None if list(topics.values()) == [["a"], ["b", "c"], ["d", "e"]] else "The behaviour has changed.")
END
