. ./database-url.sh
PGHOSTADDR=127.0.0.1 psql "$DATABASE_URL" -c 'CREATE TABLE greetings (text text)' -c "INSERT INTO greetings VALUES ('hello')" -c 'TABLE greetings'
