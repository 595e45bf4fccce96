# The schema goes into an empty database without an error.
run "migrates_an_empty_database" {
  module {
    source = "./tests/throwaway"
  }

  assert {
    condition     = output.schema_version == filesha256("schema.sql")
    error_message = "The module doesn't say which schema the database has."
  }
}
