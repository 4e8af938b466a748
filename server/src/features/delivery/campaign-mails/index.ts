export { campaignMailJobs, enqueueMails } from './jobs.ts'
