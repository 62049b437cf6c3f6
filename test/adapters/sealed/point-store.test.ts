import { AVERAGE_LENGTH } from '../../../src/adapters/qdrant/schema/sparse.ts';
import { describePointStore } from '../../contract/point-store.ts';
import { sealedDoublePlace } from './places.ts';

describePointStore('A sealed Qdrant (double)', sealedDoublePlace, { averages: AVERAGE_LENGTH });
