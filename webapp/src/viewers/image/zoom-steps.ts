/** CSS pixels of a side divided by the pixels of the image. */
const steps: readonly number[] = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4]

export const maxZoom = 4

/** The least ratio of a step that a person notices. */
const minRatio = 1.2

/** The next larger zoom. */
export const zoomAbove = (shown: number): number => steps.find((step) => step >= shown * minRatio) ?? maxZoom

/**
 * The next smaller zoom; undefined for the whole image.
 * @param fitted the zoom that shows the whole image
 */
export const zoomBelow = (shown: number, fitted: number): number | undefined =>
  steps.findLast((step) => step <= shown / minRatio && step >= fitted * minRatio)

/** A zoom within the limits; undefined for the whole image. */
export const limitedZoom = (zoom: number, fitted: number): number | undefined =>
  zoom <= fitted * 1.01 ? undefined : Math.min(maxZoom, zoom)
