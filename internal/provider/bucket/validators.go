package bucket

import (
	"context"
	"net/netip"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var (
	s3Name     = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)
	mediaType  = regexp.MustCompile(`^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+( *;.*)?$`)
	contentKey = stringvalidator.RegexMatches(regexp.MustCompile(`^[^\x00-\x1f\x7f]*$`), "must have no control "+
		"characters, such as the zero byte")
	typeRule = stringvalidator.RegexMatches(mediaType, "must be a media type, such as image/png or text/html; "+
		"charset=utf-8")
)

// bucketName warns of names that programs for S3 may refuse.
type bucketName struct{}

// Description says what is advised.
func (bucketName) Description(context.Context) string {
	return "should be a name as S3 has them: 3 to 63 lower-case letters, digits, dots and hyphens, and no IP address"
}

// MarkdownDescription says the same.
func (v bucketName) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString checks a value that is known.
func (v bucketName) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	name := req.ConfigValue.ValueString()
	_, err := netip.ParseAddr(name)
	if !kit.IsSet(req.ConfigValue) || name == "" || s3Name.MatchString(name) && err != nil {
		return
	}
	resp.Diagnostics.AddAttributeWarning(req.Path, "Not a name as S3 has them", req.Path.String()+" = "+kit.Quoted(name)+
		" "+v.Description(ctx)+
		". Neon takes others, but programs that use the bucket by S3 may refuse them, and a bucket can't be renamed.")
}
