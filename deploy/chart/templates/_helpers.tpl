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

{{- /* The variables of the server: those of the chart, which the settings override. */}}
{{- define "svcd.settings" -}}
SVCD_TRUSTED_PROXIES: {{ .Values.trustedProxies | toJson | quote }}
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
        httpGet: { path: /ready, port: http }
        timeoutSeconds: 5
        failureThreshold: 1
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
