import fc from 'fast-check';

// A landed test gives the same answer on every run; the soak looks for new cases and prints the seed of what it finds.
if (process.env['WARRANT_SOAK'] === undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_260_101 });
