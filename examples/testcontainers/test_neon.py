from os import environ

import psycopg

from neon import neon


def test_a_branch_has_a_database():
    with neon(environ.get("NEON_IMAGE", "ghcr.io/seed-a7382548/neon-emulator:latest")):
        with psycopg.connect(environ["DATABASE_URL"]) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
