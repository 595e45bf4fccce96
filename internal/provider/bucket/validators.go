package bucket

import (
	"net/netip"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var (
	s3Name     = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)
	mediaType  = regexp.MustCompile(`^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+( *;.*)?$`)
	contentKey = stringvalidator.RegexMatches(regexp.MustCompile(`^[^\x00-\x1f\x7f]*$`), "must have no control "+
		"characters, such as the zero byte")
	noSlash = stringvalidator.RegexMatches(regexp.MustCompile(`^[^/]*$`), "must have no slash, which ends a bucket's "+
		"name in addresses and import ids of its objects")
	noDots   = stringvalidator.NoneOf(".", "..") // As segments of a URL's path, these name no bucket.
	typeRule = stringvalidator.RegexMatches(mediaType, "must be a media type, such as image/png or text/html; "+
		"charset=utf-8")
)

// checkName warns of bucket names that S3 clients may refuse.
func checkName(at path.Path, name string, diags *diag.Diagnostics) {
	_, err := netip.ParseAddr(name)
	if name == "" || s3Name.MatchString(name) && err != nil {
		return
	}
	diags.AddAttributeWarning(at, "Not a name as S3 has them", at.String()+" = "+kit.Quoted(name)+" should be a name as "+
		"S3 has them: 3 to 63 lower-case letters, digits, dots and hyphens, and no IP address. Neon takes others, but "+
		"programs that use the bucket by S3 may refuse them, and a bucket can't be renamed.")
}
