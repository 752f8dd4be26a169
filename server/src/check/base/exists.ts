import { stat } from 'node:fs/promises'

/** Whether something is at a path, as far as this process can see it. */
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
