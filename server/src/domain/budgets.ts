/** What a network or an account can use up. `bytes` are bytes, all others numbers of things. */
export const budgetNames = ['uploads', 'files', 'bytes', 'cliCodes', 'passwordUploads', 'qrCodes'] as const
export type BudgetName = (typeof budgetNames)[number]

/** How much of each may be used within an hour; Infinity for a budget that is off. */
export type BudgetLimits = Readonly<Record<BudgetName, number>>

/** What a budget is for, as its refusal says it. */
export const budgetWords: Readonly<Record<BudgetName, string>> = {
  uploads: 'uploads',
  files: 'files',
  bytes: 'bytes',
  cliCodes: 'command-line logins',
  passwordUploads: 'uploads with a password',
  qrCodes: 'QR codes',
}
