# The key is left out, so that each run says whose state it works with.
terraform {
  backend "s3" {
    bucket       = "my-terraform-states"
    region       = "us-east-1"
    use_lockfile = true # takes Terraform 1.10
  }
}
