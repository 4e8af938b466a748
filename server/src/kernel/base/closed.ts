/** The option of a schema whose objects have no other properties. */
export const closed = { additionalProperties: false } as const
