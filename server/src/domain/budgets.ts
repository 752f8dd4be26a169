/** The budgets of a network or an account. `bytes` counts bytes, all others count requests or files. */
export const budgetNames = ['uploads', 'files', 'bytes', 'cliCodes', 'passwordUploads', 'qrCodes'] as const
export type BudgetName = (typeof budgetNames)[number]

/** The limit of each budget per hour; Infinity for a budget that is off. */
export type BudgetLimits = Readonly<Record<BudgetName, number>>

/** The text of each budget in error messages. */
export const budgetLabels: Readonly<Record<BudgetName, string>> = {
  uploads: 'uploads',
  files: 'files',
  bytes: 'bytes',
  cliCodes: 'command-line sign-ins',
  passwordUploads: 'uploads with a password',
  qrCodes: 'QR codes',
}
