output "schema_version" {
  value       = terraform_data.schema.triggers_replace[0]
  description = "Hash of the schema that the database has."
}
