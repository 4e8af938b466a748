import { areaPart } from '#records/area-part.tsx'

/** Problems with their remedies. A draft without problems needs none of this code. */
export const ProblemCards = areaPart(['signatures'], () => import('./problem-list.tsx'))
