// Package stories tests whole configurations, as people write and change them.
package stories
