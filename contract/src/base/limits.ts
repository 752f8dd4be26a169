/** Fixed limits of the interface. Sizes are bytes, lengths are Unicode code points unless a name says otherwise. */
export const limits = {
  fileNameLength: 1024,
  uploadCredentialLength: 128,
  userLoginMinLength: 3,
  userLoginLength: 128,
  profileTextLength: 256,
  commentLength: 256,
  hostnameLength: 256,
  userPasswordMinLength: 8,
  userPasswordLength: 128,
  commentsBytes: 32_768,
  jsonBodyBytes: 1_048_576,
  schemeLength: 32,
  referenceLength: 256,
  maxDownloads: 1_000_000,
  qrCodeMinPixels: 32,
  qrCodeMaxPixels: 1000,
  qrCodeDefaultPixels: 250,
  qrCodeUrlLength: 2048,
  pageDefault: 20,
  pageMax: 500,
  searchDefault: 10,
  dailyStatsDefault: 30,
  dailyStatsMax: 366,
  cliLoginSeconds: 300,
  sessionsPerUser: 100,
  tokensPerUser: 1000,
  idLength: 16,
  uploadTokenLength: 32,
} as const

/** Value of a size or duration limit without a limit (docs/protocol.md#limits). */
export const unlimited = -1
