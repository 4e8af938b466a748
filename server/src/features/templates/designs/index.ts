// The gallery, in the order of GET /v1/templates.
import type { Design } from '../design.ts'
import { corporateClassic } from './corporate-classic.ts'
import { legalCounsel } from './legal-counsel.ts'
import { minimalOneLine } from './minimal-one-line.ts'
import { salesMeeting } from './sales-meeting.ts'

export const designs: readonly Design[] = [corporateClassic, salesMeeting, legalCounsel, minimalOneLine]
