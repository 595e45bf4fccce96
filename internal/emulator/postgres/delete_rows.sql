-- Truncates all tables without the triggers that say otherwise, restarts sequences, and
-- empties materialized views and large objects. What extensions own isn't the branch's.
DO $$
DECLARE
	found record;
	names text;
	restored text[] := '{}';
	statement text;
BEGIN
	FOR found IN
		SELECT tgrelid::regclass AS owner, tgname, tgenabled FROM pg_trigger
		WHERE NOT tgisinternal AND tgenabled <> 'D' AND tgtype & 32 <> 0
	LOOP
		EXECUTE format('ALTER TABLE %s DISABLE TRIGGER %I', found.owner, found.tgname);
		restored := restored || format('ALTER TABLE %s ENABLE %s TRIGGER %I', found.owner,
			CASE found.tgenabled WHEN 'R' THEN 'REPLICA' WHEN 'A' THEN 'ALWAYS' ELSE '' END, found.tgname);
	END LOOP;
	CREATE TEMPORARY TABLE own ON COMMIT DROP AS
		SELECT oid::regclass AS name, relkind FROM pg_class
		WHERE oid >= 16384 AND relpersistence <> 't' AND relnamespace <> 'pg_toast'::regnamespace
			AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e');
	SELECT string_agg(name::text, ', ') INTO names FROM own WHERE relkind IN ('r', 'p');
	IF names IS NOT NULL THEN
		EXECUTE 'TRUNCATE ' || names;
	END IF;
	FOR found IN SELECT name FROM own WHERE relkind = 'S' LOOP
		EXECUTE format('ALTER SEQUENCE %s RESTART', found.name);
	END LOOP;
	FOR found IN SELECT name FROM own WHERE relkind = 'm' LOOP
		EXECUTE format('REFRESH MATERIALIZED VIEW %s WITH NO DATA', found.name);
	END LOOP;
	PERFORM lo_unlink(oid) FROM pg_largeobject_metadata;
	FOREACH statement IN ARRAY restored LOOP
		EXECUTE statement;
	END LOOP;
END $$;
