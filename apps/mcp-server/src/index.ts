export { type OpenedReview, type OpenReviewOptions, openReview } from './open.ts';
export { createReviewServer, type ReviewServerOptions } from './server.ts';
