import { functions } from "./match.ts";

export const logging = functions(
  "log.*",
  "log/slog.*",
  "log/internal*",
  "log/slog/internal*",
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
  "log/syslog.*",
  "github.com/apex/log*",
  "github.com/inconshreveable/log15*",
  "github.com/op/go-logging*",
  "github.com/cihub/seelog*",
);
