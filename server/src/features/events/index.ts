export { clickEvent, type NewEvent, type Outcome, outcomes, type Recorder, viewEvent } from './event.ts'
export { insertEvents } from './queries.ts'
