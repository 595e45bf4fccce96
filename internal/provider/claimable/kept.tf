resource "neon_claimable_database" "trial" {
  ref = "museum"
}
