/** Time is always handed in, so that tests can stop it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
