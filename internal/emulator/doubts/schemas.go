package doubts

var schemas = &section{title: "Schemas"}

var (
	_ = schemas.add(&Doubt{Key: "schema-sql", What: "`sql` of a schema", Decided: "what `pg_dump --schema-only` writes, as in the [sample](https://neon.com/docs/reference/api/branches.md); without real databases its first lines"})
	_ = schemas.add(&Doubt{Key: "schema-diff", What: "The form of `diff`, and what there is where schemas are the same", Decided: "that of `diff -u`, from `a/` and the database's name to `b/` and the same, as in the [sample](https://neon.com/docs/reference/api/branches.md); empty, as `packages/sdk/e2e` of neondatabase/neon-pkgs has found"})
	_ = schemas.add(&Doubt{Key: "compare-without-base", What: "`compare_schema` without `base_branch_id`", Decided: "with the parent; a root with itself"})
	_ = schemas.add(&Doubt{Key: "schema-of-the-past", What: "A schema of the past", Decided: "refused with 422 where the data has changed since, as no history is kept; with `-past present` that of now"})
	_ = schemas.add(&Doubt{Key: "schema-without-compute", What: "A branch without a compute", Decided: "its schema can be read all the same"})
)
