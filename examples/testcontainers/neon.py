from contextlib import contextmanager
from os import environ
from re import MULTILINE, findall
from urllib.request import Request, urlopen

from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HealthcheckWaitStrategy


@contextmanager
def neon(image="ghcr.io/seed-a7382548/neon-emulator:latest"):
    """Runs Neon with a branch, and sets DATABASE_URL and the variables of its API."""
    container = DockerContainer(image).with_command("-connect-host localhost").with_env("NEON_EMULATOR_TOKEN", "test")
    container = container.with_exposed_ports(8473).with_bind_ports(5432, 5432)
    with container.waiting_for(HealthcheckWaitStrategy()):
        at = f"http://{container.get_container_host_ip()}:{container.get_exposed_port(8473)}/_emulator/environment"
        with urlopen(Request(at, headers={"Authorization": "Bearer test"})) as answer:
            environ.update(findall(r"^export (\w+)=(.*)$", answer.read().decode(), MULTILINE))
        yield container
