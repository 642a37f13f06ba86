import { functions } from "./match.ts";

/**
 * Libraries that ask something outside of the process, for all rules about such calls. Patterns of `functions`. Those of the standard
 * library are in the rules, which differ in what they count.
 */

export const databaseLibraries: readonly string[] = [
  "cloud.google.com/go/{bigtable,datastore,firestore,spanner}*",
  "entgo.io/ent*",
  "github.com/aws/aws-sdk-go-v2/service/dynamodb*",
  "github.com/bradfitz/gomemcache/memcache.(*Client).*",
  "github.com/dgraph-io/badger*",
  "github.com/go-pg/pg*",
  "github.com/go-redis/redis*",
  "github.com/gocql/gocql.(*Query).*",
  "github.com/gomodule/redigo/redis.*",
  "github.com/jackc/pgx*",
  "github.com/jmoiron/sqlx.*",
  "github.com/redis/go-redis*",
  "github.com/redis/rueidis*",
  "github.com/uptrace/bun.*",
  "github.com/volatiletech/sqlboiler*",
  "go.etcd.io/bbolt.*",
  "go.etcd.io/etcd/client*",
  "go.mongodb.org/mongo-driver*",
  "gorm.io/gorm.(*DB).*",
  "xorm.io/xorm.*",
];

export const serviceLibraries: readonly string[] = [
  "connectrpc.com/connect*",
  "github.com/{IBM,Shopify}/sarama*",
  "github.com/aws/aws-sdk-go*",
  "github.com/confluentinc/confluent-kafka-go*",
  "github.com/elastic/go-elasticsearch*",
  "github.com/go-resty/resty*",
  "github.com/hashicorp/go-retryablehttp*",
  "github.com/nats-io/nats.go*",
  "github.com/rabbitmq/amqp091-go*",
  "github.com/segmentio/kafka-go*",
  "github.com/twmb/franz-go*",
  "github.com/valyala/fasthttp.(*{Client,HostClient}).*",
  "google.golang.org/api*",
  "google.golang.org/grpc.(*ClientConn).*",
];

export const logging = functions(
  "log.*",
  "log/{slog,syslog}.*",
  "log/{internal,slog/internal}*",
  "go.uber.org/zap*",
  "github.com/rs/zerolog*",
  "github.com/sirupsen/logrus*",
  "k8s.io/klog*",
  "github.com/go-kit/log*",
  "github.com/go-logr/*",
  "github.com/golang/glog.*",
  "github.com/hashicorp/go-hclog.*",
  "github.com/charmbracelet/log.*",
  "github.com/phuslu/log.*",
  "github.com/apex/log*",
  "github.com/inconshreveable/log15*",
  "github.com/op/go-logging*",
  "github.com/cihub/seelog*",
);
