// The person of the renderer, from the answer of the service.
import type { Person } from '@signoff/render'
import type { RenderedPerson } from '@signoff/sdk'

/** The value of an image field whose picture the service draws. `readDrawnPicture` reads it; it is never shown. */
const drawnPicture = 'signoff-picture:'

/** The id of the image field; undefined for other values. */
export const readDrawnPicture = (value: string): string | undefined =>
  value.startsWith(drawnPicture) ? value.slice(drawnPicture.length) : undefined

export const personOf = ({ values }: Pick<RenderedPerson, 'values'>): Person =>
  Object.fromEntries(
    values.map(({ smart_field_id: id, value, has_picture: hasPicture }) => [
      id,
      value ?? (hasPicture ? `${drawnPicture}${id}` : null),
    ]),
  )
