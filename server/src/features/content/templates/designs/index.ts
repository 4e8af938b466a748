// The gallery, in the order of GET /v1/templates.
import type { Design } from '../design.ts'
import { corporateDesigns } from './corporate.ts'
import { creativeDesigns } from './creative.ts'
import { educationDesigns } from './education.ts'
import { healthDesigns } from './health.ts'
import { internalDesigns } from './internal.ts'
import { legalDesigns } from './legal.ts'
import { minimalDesigns } from './minimal.ts'
import { replyDesigns } from './reply.ts'
import { salesDesigns } from './sales.ts'

export const designs: readonly Design[] = [
  ...corporateDesigns,
  ...salesDesigns,
  ...creativeDesigns,
  ...legalDesigns,
  ...healthDesigns,
  ...educationDesigns,
  ...minimalDesigns,
  ...replyDesigns,
  ...internalDesigns,
]
