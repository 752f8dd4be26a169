{{- define "svcd.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}-svcd
{{- end }}

{{- define "svcd.selector" -}}
app.kubernetes.io/name: svcd
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "svcd.labels" -}}
{{ include "svcd.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- /* A JSON list: common networks of pods with an ingress, and none without it. */}}
{{- define "svcd.trustedProxies" -}}
{{- if .Values.trustedProxies -}}
{{ toJson .Values.trustedProxies }}
{{- else -}}
{{ ternary (list "10.0.0.0/8") (list) .Values.ingress.enabled | toJson }}
{{- end -}}
{{- end }}

{{- /* Without these, each server would have its own database and files, which end with its pod. */}}
{{- define "svcd.checkShared" -}}
{{- $settings := .Values.settings }}
{{- if not (has (get $settings "SVCD_METADATA_BACKEND_CONFIG_DRIVER") (list "postgres" "mysql")) }}
{{- fail "storage: shared needs a database that all servers reach: set settings.SVCD_METADATA_BACKEND_CONFIG_DRIVER: postgres (or mysql)" }}
{{- end }}
{{- if not (or .Values.secretName (get $settings "SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING")) }}
{{- fail "storage: shared needs the address of the database: name a Secret with SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING (secretName), or write it into settings" }}
{{- end }}
{{- if not (has (get $settings "SVCD_DATA_BACKEND") (list "s3" "swift" "gcs")) }}
{{- fail "storage: shared needs an object store for the files: set settings.SVCD_DATA_BACKEND: s3 (or swift, gcs)" }}
{{- end }}
{{- end }}

{{- /* The variables of the server: those of the chart, which the settings override. */}}
{{- define "svcd.settings" -}}
{{- with include "svcd.trustedProxies" . | fromJsonArray }}
SVCD_TRUSTED_PROXIES: {{ toJson . | quote }}
{{- end }}
{{- if .Values.ingress.enabled }}
SVCD_SVC_DOMAIN: {{ printf "%s://%s" (ternary "https" "http" (ne .Values.ingress.tlsSecretName "")) .Values.ingress.host | quote }}
{{- end }}
{{- if .Values.metrics.enabled }}
SVCD_METRICS_ADDRESS: "0.0.0.0"
SVCD_METRICS_PORT: "9100"
{{- end }}
{{- if eq .Values.storage "volume" }}
SVCD_DATA_BACKEND_CONFIG_DIRECTORY: /data/files
SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING: /data/svc.db
{{- end }}
{{- end }}

{{- define "svcd.pod" -}}
metadata:
  labels:
    {{- include "svcd.selector" . | nindent 4 }}
  {{- with .Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    # The owner of the volume.
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: svcd
      image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      env:
        {{- range $name, $value := merge (dict) .Values.settings (include "svcd.settings" . | fromYaml) }}
        - name: {{ $name }}
          value: {{ $value | toString | quote }}
        {{- end }}
        {{- if eq .Values.storage "shared" }}
        # Where the other servers reach this one, for streams between them.
        - name: POD_IP
          valueFrom:
            fieldRef:
              fieldPath: status.podIP
        - name: SVCD_INSTANCE_URL
          value: http://$(POD_IP):8081
        {{- end }}
      {{- with .Values.secretName }}
      envFrom:
        - secretRef:
            name: {{ . }}
      {{- end }}
      ports:
        - { name: http, containerPort: 8080 }
        {{- if eq .Values.storage "shared" }}
        - { name: instances, containerPort: 8081 }
        {{- end }}
        {{- if .Values.metrics.enabled }}
        - { name: metrics, containerPort: 9100 }
        {{- end }}
      {{- if eq .Values.storage "shared" }}
      lifecycle:
        preStop:
          # SIGTERM makes the server close its port at once. Before that, proxies and nodes learn that it gets no more
          # requests. The image has no `sleep`.
          exec:
            command: [node, -e, 'setTimeout(() => {}, 5000)']
      {{- end }}
      # The first start migrates the database.
      startupProbe:
        httpGet: { path: /health, port: http }
        periodSeconds: 2
        failureThreshold: 150
      livenessProbe:
        httpGet: { path: /health, port: http }
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        # A server that has lost its database or its store leaves requests to the others. One alone always gets them: nothing else
        # would respond.
        httpGet: { path: {{ ternary "/ready" "/health" (eq .Values.storage "shared") }}, port: http }
        timeoutSeconds: 5
        # Short interruptions of a store make all servers wait, not vanish.
        failureThreshold: 2
      {{- if eq .Values.storage "volume" }}
      volumeMounts:
        - { name: data, mountPath: /data }
      {{- else }}
      volumeMounts:
        - { name: scratch, mountPath: /data }
      {{- end }}
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
  {{- if eq .Values.storage "shared" }}
  volumes:
    - name: scratch
      emptyDir: {}
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
{{- end }}
