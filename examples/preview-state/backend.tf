# The bucket and the key are left out, so that each run says whose state it works with.
terraform {
  backend "s3" {
    use_lockfile = true # takes Terraform 1.10
  }
}
