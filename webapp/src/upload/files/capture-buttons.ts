import { preparedComponent } from '../../base/prepared-component.ts'

/** Whether the device is a phone or a tablet. */
export const hasCamera = matchMedia('(pointer: coarse)').matches

/** Camera and microphone as sources of files. */
export const captureButtons = preparedComponent(() => import('./CaptureButtons.vue'))

/** Loads the buttons where there is a camera. Without them, the page works. */
export async function prepareCaptureButtons(): Promise<void> {
  if (hasCamera) await captureButtons.prepare().catch(() => undefined)
}
