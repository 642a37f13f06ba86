import { functions } from "#rules/match.ts";

export const javaLoggers = functions(
  "java/util/logging/*",
  "ch/qos/logback/*",
  "org/apache/log4j/*",
  "org/apache/logging/*",
  "org/apache/commons/logging/*",
  "org/slf4j/*",
  "org/jboss/logging/*",
  "org/tinylog/*",
);

/** The virtual machine links a call the first time that it runs. */
export const linking = functions(
  "java/lang/invoke/{MethodHandleNatives,BootstrapMethodInvoker,InnerClassLambdaMetafactory}.*",
);
