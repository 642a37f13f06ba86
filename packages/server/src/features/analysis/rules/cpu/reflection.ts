import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const reflecting = functions(
  "reflect.*",
  "internal/reflectlite.*",
  "encoding/binary.{Read,Write}",
  "encoding/{gob,xml,asn1}.*",
  "gopkg.in/yaml*",
  "go.yaml.in/yaml*",
  "sigs.k8s.io/yaml*",
  "github.com/goccy/go-yaml*",
  "github.com/BurntSushi/toml*",
  "github.com/mitchellh/{mapstructure,copystructure}.*",
  "github.com/go-viper/mapstructure*",
  "github.com/jinzhu/copier.*",
  "github.com/davecgh/go-spew*",
  "github.com/google/go-cmp*",
  "github.com/vmihailenco/msgpack*",
  "github.com/ugorji/go*",
  "github.com/fxamacker/cbor*",
  "github.com/hamba/avro*",
  "github.com/pelletier/go-toml*",
  "github.com/go-playground/form*",
  "github.com/go-playground/validator*",
  "github.com/gorilla/schema*",
  "github.com/spf13/viper*",
  "go.mongodb.org/mongo-driver/bson*",
  "go.mongodb.org/mongo-driver/v2/bson*",
  "google.golang.org/protobuf/encoding*",
  "google.golang.org/protobuf/reflect*",
  "google.golang.org/protobuf/types/dynamicpb*",
  "github.com/golang/protobuf/jsonpb*",
);

export const reflection = callRule({
  id: "reflection",
  name: "Reflection in hot code",
  looksAt:
    "CPU in package reflect where application code, or a library that maps structs for it (XML, YAML, gob, Protobuf as JSON), calls it.",
  yieldsTo: [
    "json-reflection",
    "template-execution",
    "sort-with-reflection",
    "fmt-in-hot-path",
    "database-n-plus-one",
  ],
  select: ({ main }) =>
    main
      .calls(reflecting)
      .without(functions("encoding/json*", "fmt.*", "text/template*", "sort.*", "database/sql*")),
  from: { low: 0.03, medium: 0.06, high: 0.2 },
  confidence: 0.85,
  saves: 0.8,
  issue: ({ where, share }) => `${where} spends ${share} in reflection: use typed or generated code`,
  impact:
    "Every field access checks types and flags at run time, and most results are allocated. Typed code is ten times faster or more.",
  solution: ({ where }) =>
    `Replace reflection in ${where} by typed code, type parameters or generated code: == or a method instead of reflect.DeepEqual, field assignments instead of a struct mapper, binary.ByteOrder.PutUint32 instead of binary.Write. Code that must stay dynamic can look up fields once per type and keep their indexes.`,
  example: `import "slices"

type settings struct {
	Name  string
	Limit int
	Tags  []string
}

// equal is reflect.DeepEqual for this type.
func (s *settings) equal(other *settings) bool {
	return s.Name == other.Name && s.Limit == other.Limit && slices.Equal(s.Tags, other.Tags)
}
`,
});
