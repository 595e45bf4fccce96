. ./database-url.sh
psql "$DATABASE_URL" -c 'CREATE TABLE greetings (text text)' -c "INSERT INTO greetings VALUES ('hello')" -c 'TABLE greetings'
