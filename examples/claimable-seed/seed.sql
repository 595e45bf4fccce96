CREATE TABLE fruit (
  id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE
);

INSERT INTO fruit (name) VALUES ('apple'), ('plum; the blue one');
