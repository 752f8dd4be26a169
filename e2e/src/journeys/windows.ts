import type { Device } from './journeys.ts'

/** The size of the window of a journey, in CSS pixels. From 1,100 on, files and options are side by side. */
export const windows = {
  desktop: { width: 1200, height: 750 },
  phone: { width: 390, height: 760 },
} as const satisfies Record<Device, { width: number; height: number }>
