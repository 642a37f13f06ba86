{{- define "flamekeep.name" -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" }}
{{- end }}

{{- define "flamekeep.selector" -}}
app.kubernetes.io/name: flamekeep
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "flamekeep.labels" -}}
{{ include "flamekeep.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "flamekeep.image" -}}
{{- $tag := .Values.image.tag | default (printf "%s%s" .Chart.AppVersion (ternary "-without-engine" "" .Values.externalStores)) }}
{{- printf "%s:%s" .Values.image.repository $tag }}
{{- end }}

{{- /* Fails with a sentence where values contradict each other. */ -}}
{{- define "flamekeep.check" -}}
{{- if and .Values.secretKeys (not .Values.existingSecret) }}
{{- fail "secretKeys needs existingSecret: the name of the Secret that has these keys" }}
{{- end }}
{{- if .Values.externalStores }}
{{- range list "AUTH_SECRET" "CLICKHOUSE_URL" "DATABASE_URL" }}
{{- if not (has . $.Values.secretKeys) }}
{{- fail (printf "externalStores needs %s in secretKeys and in the Secret that existingSecret names" .) }}
{{- end }}
{{- end }}
{{- end }}
{{- if and .Values.serviceMonitor.enabled (not (has "METRICS_TOKEN" .Values.secretKeys)) }}
{{- fail "serviceMonitor needs METRICS_TOKEN in secretKeys and in the Secret that existingSecret names" }}
{{- end }}
{{- end }}

{{- define "flamekeep.pod" -}}
metadata:
  labels:
    {{- include "flamekeep.labels" . | nindent 4 }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "flamekeep.name" . }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ add .Values.stopDelaySeconds 40 }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: flamekeep
      image: {{ include "flamekeep.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      ports:
        - name: http
          containerPort: 4040
        - name: grpc
          containerPort: 4317
        {{- if .Values.externalStores }}
        - name: cluster
          containerPort: 4041
        {{- end }}
      env:
        - name: PUBLIC_URL
          value: {{ .Values.publicUrl | quote }}
        - name: HOST
          value: "0.0.0.0"
        - name: PORT
          value: "4040"
        - name: GRPC_PORT
          value: "4317"
        - name: DATA_DIR
          value: /data
        - name: STOP_DELAY_SECONDS
          value: {{ .Values.stopDelaySeconds | quote }}
        {{- if .Values.externalStores }}
        # Where the other pods reach this one (docs/operate/cluster.md).
        - name: CLUSTER_ADDRESS
          valueFrom:
            fieldRef:
              fieldPath: status.podIP
        - name: CLUSTER_PORT
          value: "4041"
        {{- end }}
        {{- range $name, $value := .Values.settings }}
        - name: {{ $name }}
          value: {{ $value | toString | quote }}
        {{- end }}
        {{- range .Values.secretKeys }}
        - name: {{ . }}_FILE
          value: /run/secrets/flamekeep/{{ . }}
        {{- end }}
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 2
        failureThreshold: 150
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 2
        timeoutSeconds: 3
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        timeoutSeconds: 5
        failureThreshold: 6
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
        {{- if .Values.secretKeys }}
        - name: secrets
          mountPath: /run/secrets/flamekeep
          readOnly: true
        {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if .Values.secretKeys }}
    - name: secrets
      secret:
        secretName: {{ .Values.existingSecret }}
        defaultMode: 0440
        items:
          {{- range .Values.secretKeys }}
          - key: {{ . }}
            path: {{ . }}
          {{- end }}
    {{- end }}
{{- end }}
