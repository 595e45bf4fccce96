WITH columns AS (
  SELECT attrelid, json_agg(json_build_object(
    'name', attname, 'type', format_type(atttypid, atttypmod), 'nullable', NOT attnotnull, 'generated', attgenerated <> ''
  ) ORDER BY attnum) AS list
  FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped GROUP BY attrelid
), constraints AS (
  SELECT conrelid, json_agg(json_strip_nulls(json_build_object(
    'name', conname,
    'type', CASE contype WHEN 'p' THEN 'primary_key' WHEN 'u' THEN 'unique' ELSE 'foreign_key' END,
    'columns', (SELECT json_agg(attname ORDER BY place) FROM unnest(conkey) WITH ORDINALITY AS key (number, place)
      JOIN pg_attribute ON attrelid = conrelid AND attnum = number),
    'referenced_table', CASE WHEN contype = 'f' THEN (
      SELECT json_build_object('schema', nspname, 'table', relname, 'columns',
        (SELECT json_agg(attname ORDER BY place) FROM unnest(confkey) WITH ORDINALITY AS key (number, place)
          JOIN pg_attribute ON attrelid = confrelid AND attnum = number))
      FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE pg_class.oid = confrelid) END
  )) ORDER BY conname) AS list
  FROM pg_constraint WHERE contype IN ('p', 'u', 'f') GROUP BY conrelid
)
SELECT json_build_object('tables', coalesce(json_agg(json_build_object(
  'schema', nspname, 'name', relname, 'columns', coalesce(columns.list, '[]'), 'constraints', coalesce(constraints.list, '[]')
) ORDER BY nspname, relname), '[]'))::text
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
LEFT JOIN columns ON attrelid = pg_class.oid
LEFT JOIN constraints ON conrelid = pg_class.oid
WHERE relkind IN ('r', 'p') AND nspname NOT IN ('pg_catalog', 'information_schema') AND nspname NOT LIKE 'pg\_toast%' AND nspname NOT LIKE 'pg\_temp%'
