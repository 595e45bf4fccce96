package doubts

var schemas = &section{title: "Schemas"}

var (
	_ = schemas.add("schema-sql", "`sql` of a schema", "what `pg_dump --schema-only` writes, as in the [sample](https://neon.com/docs/reference/api/branches.md); without real databases its first lines")
	_ = schemas.add("schema-diff", "The form of `diff`, and what there is where schemas are the same", "that of `diff -u`, from `a/` and the database's name to `b/` and the same, as in the [sample](https://neon.com/docs/reference/api/branches.md); empty, as `packages/sdk/e2e` of neondatabase/neon-pkgs has found")
	_ = schemas.add("compare-without-base", "`compare_schema` without `base_branch_id`", "with the parent; a root with itself")
	_ = schemas.add("schema-of-the-past", "A schema of the past", "refused with 422 where the data has changed since, as no history is kept; with `-past present` that of now")
	_ = schemas.add("schema-without-compute", "A branch without a compute", "its schema can be read all the same")
)
