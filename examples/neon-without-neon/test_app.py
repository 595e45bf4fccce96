# pip install "psycopg[binary]" pytest
import os

import psycopg


def test_a_note_is_kept():
    with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS notes (id serial PRIMARY KEY, text text NOT NULL)")
        connection.execute("INSERT INTO notes (text) VALUES (%s)", ["hello"])
        assert connection.execute("SELECT text FROM notes ORDER BY id DESC").fetchone() == ("hello",)
