CREATE TABLE IF NOT EXISTS orders (
  id    bigint PRIMARY KEY,
  total numeric NOT NULL
);
